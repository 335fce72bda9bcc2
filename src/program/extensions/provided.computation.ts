import * as computations from '../../extension-computations.js';
import { provide } from './provide.js';

// Threads load it before the files of packages, which import this name.
provide({ '@claims-api/extension-api/computations': computations });
