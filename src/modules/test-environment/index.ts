export { TestEnvironmentModule } from './test-environment.module.js';
export {
  CreateTestAnswersDto,
  CreateTestEventDto,
  CreateTestOutcomeDto,
  CreateTestResetDto,
  TestAnswersDto,
  TestEventDto,
  TestOutcomeDto,
  TestResetDto,
} from './test-environment.dto.js';
