/** The only file that a program imports. README.md says what the package does. */
export { openEmbeddedDatabase, type EmbeddedDatabase, type EmbeddedDatabaseOptions } from './open.js';
export { EmbeddedDatabaseError } from './embedded-database-error.js';
