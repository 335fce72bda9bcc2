/** How many rates a result lists. Files of lines have the rate of every line. */
export const MAX_RATES_LISTED = 1000;
