export * from './bridge.js';
