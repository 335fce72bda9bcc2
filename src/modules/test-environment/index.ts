export { TestEnvironmentModule } from './test-environment.module.js';
export * from './test-environment.dto.js';
