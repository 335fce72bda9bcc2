export * from './zip-archive.js';
