/** The first year of which banks have statements in files. */
export const FIRST_YEAR = '1990';

/** The year after that of a day such as 2026-02-28. */
export const yearAfter = (today: string): string => `${Number(today.slice(0, 4)) + 1}`;
