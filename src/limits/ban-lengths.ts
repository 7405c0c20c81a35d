/** How people write a permanent ban where a length is expected. */
export const permanent = "permanent";

/** The shortest ban that people can request, in seconds: a shorter one would be over before anybody noticed. */
export const minBanSeconds = 60;

/** The shortest ban in a rule file. It is shorter, because a rule may just interrupt an author who posts too fast. */
export const minRuleBan = "10s";
