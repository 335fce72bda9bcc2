import { startWith } from '../start-with.js';
import { projectFieldsExtension } from './extension.js';

export const startWithProjectFields = () => startWith(projectFieldsExtension);
