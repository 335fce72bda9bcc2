/** What this is called, and the version of its description. */
export const API_NAME = 'Claims API';
export const API_VERSION = '1.0.0';
