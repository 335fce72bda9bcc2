import { randomInt } from 'node:crypto';

const group = (): string => randomInt(1, 0xffff).toString(16);

/** A network of an IPv6 caller, of its own: limits by address count a /64 together. */
export const aNetwork = (): string => `2001:db8:${group()}:${group()}`;

export const anAddress = (): string => `${aNetwork()}::${group()}`;
