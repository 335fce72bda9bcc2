export { ConsoleModule } from './console.module.js';
export { SignInLinks } from './sessions/sign-in-links.service.js';
export type { IssuedLink } from './sessions/one-time-links.js';
