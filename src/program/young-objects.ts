import { setFlagsFromString } from 'node:v8';

/**
 * Tells V8 to make every object where new ones are collected often. By default it notices that the queries which wait for the database
 * outlive such collections, and soon makes them where objects are collected rarely; the rows that they receive are then kept for as long.
 * Lists under load took 270 MiB instead of 120, and a fifth more of the processor.
 */
export function makeObjectsYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}
