export { ConsoleModule } from './console.module.js';
export { SignInLinks, type IssuedLink } from './sessions/sign-in-links.service.js';
