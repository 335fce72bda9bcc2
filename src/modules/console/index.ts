export { ConsoleModule } from './console.module.js';
export { type IssuedLink, SignInLinks } from './sessions/sign-in-links.service.js';
