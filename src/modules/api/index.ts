export { ApiModule } from './api.module.js';
