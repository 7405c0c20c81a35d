/** Casts of people in the sample network. */
export const gardenTalk: readonly string[] = [
  "Moonflowers opened at 21:40 tonight, ten minutes earlier than yesterday.",
  "Does evening primrose survive on a windy balcony?",
  "Sowed night-scented stock in the old sink. It smells better than the street.",
  "Slugs: 4, me: 0.",
  "The tobacco plants are taller than the fence now.",
  "First hawk moth of the year at the honeysuckle!",
  "Anyone swapping four o'clock seeds? I have pink and yellow.",
  "Watering at dusk, listening to the frogs.",
  "My night-blooming cereus has one bud. I will not sleep this week.",
  "Cut the jasmine back hard in March, thank me in July.",
];

export const marketTalk: readonly string[] = [
  "Stall 9 has the good lanterns again.",
  "Trading a box of old postcards for anything that ticks.",
  "Who sells the walnut bread? I arrived too late.",
  "Found a brass compass for the price of a coffee.",
  "Rain moves the market into the hall tonight.",
  "Looking for a bicycle bell, the loud kind.",
  "Swapped two novels for one lamp. Now I cannot read at night, but I could.",
  "The tea stall takes cups back, please return yours.",
];

export const memeTalk: readonly string[] = [
  "Nobody: … The cat at 4 a.m.: parkour.",
  "My code works. I do not know why. My code does not work. I do not know why.",
  "Meetings that could have been a cast.",
  "Plant parents counting leaves like bank notes.",
];

export const replies: readonly string[] = [
  "Same here!",
  "Mine did that too last summer.",
  "Pictures, please.",
  "Which stall was that?",
  "Try copper tape.",
  "That made my evening.",
  "I would take one, if it is still there.",
  "Ask brook, she knows.",
];

/** Casts of spam accounts. The sample rules of `night-market` match these patterns. */
export const spamTalk: readonly string[] = [
  "Claim your airdrop now, only 50 wallets left: https://free-mint.example/claim",
  "I made 4,000 in a day, claim the same airdrop before midnight https://free-mint.example/go",
  "Last chance!! claim this secret airdrop https://free-mint.example/last",
];

export const spamNames: readonly string[] = ["lucky", "mint", "bonus", "claim", "golden", "rapid", "prize"];

/** First and second halves of the names that newcomers register. */
export const nameWords: readonly [readonly string[], readonly string[]] = [
  ["amber", "silent", "paper", "velvet", "north", "quick", "hollow", "lunar", "salt", "copper"],
  ["owl", "lantern", "fern", "tide", "kettle", "moth", "fox", "stair", "reed", "drum"],
];
