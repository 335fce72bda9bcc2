import type { World } from './law-world.js';

/** Makes one record for the organization and environment of a key. */
export type Builder = (world: World, key: string) => Promise<{ readonly id: string }>;

/**
 * Who makes the records of a collection that has no POST, by its path. Only those are named here: all others are made by
 * their POST, with the example that the OpenAPI document gives.
 */
export const BUILDERS: Readonly<Record<string, Builder>> = {};

/** The ids of other records that a body may hold, and the collections they come from: an example cannot know a real one. */
export const RELATED: Readonly<Record<string, string>> = {
  projectId: '/v1/claim-projects',
};
