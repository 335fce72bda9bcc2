export { MockClaims, type MockOptions, type MockProblem, type MockRequest } from './mock-claims.js';
