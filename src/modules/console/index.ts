export { ConsoleModule } from './console.module.js';
export { type IssuedLink, SignInLinks } from './sessions/sessions.service.js';
