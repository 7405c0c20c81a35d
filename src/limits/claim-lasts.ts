/** How long a claim of a review keeps others away, in milliseconds: whoever fell asleep over it keeps nobody longer. */
export const claimLasts = 3600_000;
