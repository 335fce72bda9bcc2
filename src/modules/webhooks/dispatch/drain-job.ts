/** The job that delivers what is due: to one endpoint when it is woken for it, else to all that have something due. */
export const DRAIN = 'webhooks.drain';
