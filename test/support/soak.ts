/** `SOAK` multiplies what random tests try, and then they try something else each time. */
export const soak = process.env["SOAK"];
