export { EventFeedModule } from './events.module.js';
