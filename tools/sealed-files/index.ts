export { Arriving, DATA_KEY_BYTES, seal, unseal, unsealNext } from './sealed-file.js';
