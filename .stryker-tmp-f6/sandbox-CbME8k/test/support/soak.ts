/** `SOAK` multiplies what random tests try, and then they try something else each time. */
// @ts-nocheck

export const soak = process.env["SOAK"];
