import { sentenceOf, wordsOf } from '../error-words.js';
import type { Problem } from '../../../kernel/problems.js';

/** What a refused call says, for people. */
export const ProblemBody = ({ problem }: { problem: Problem }) => (
  <>
    <p class="error" role="alert">
      {problem.detail}
    </p>
    {problem.errors.length === 0 ? null : (
      <ul>
        {problem.errors.map((error) => (
          <li>{sentenceOf(error, wordsOf(error.field))}</li>
        ))}
      </ul>
    )}
  </>
);
