/** How long a consent lasts. Then the user is asked again. */
export const CONSENT_DAYS = 365;
