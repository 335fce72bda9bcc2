/** The name of the API, and the version of its documents. */
export const API_NAME = 'Claims API';
export const API_VERSION = '1.0.0';

/** The User-Agent of a first-party client. The audit log shows the channel after the actor's name. */
export const userAgentOf = (channel: string): string => `claims-${channel}/${API_VERSION}`;

/** The channel that a User-Agent names, if it is that of a first-party client. */
export const channelOfUserAgent = (userAgent = ''): string | undefined => /^claims-([a-z]{1,20})\//.exec(userAgent)?.[1];
