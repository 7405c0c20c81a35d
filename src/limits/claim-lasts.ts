/** Milliseconds for which a claim reserves a review, so that a forgotten claim does not block it for long. */
export const claimLasts = 3600_000;
