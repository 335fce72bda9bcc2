export * from './checksums.js';
