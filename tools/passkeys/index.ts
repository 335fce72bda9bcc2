export { accountIn, answerIn, describeNew, siteId, verifyAnswer, verifyNew, type Answer, type Key, type Site } from './passkeys.js';
