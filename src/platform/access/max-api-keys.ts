/** API keys of one organization that may be in force at once: far more than integrations need, few enough to oversee. */
export const MAX_API_KEYS = 100;
