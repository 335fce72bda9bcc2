import type { Problem } from '../../../kernel/problems.js';

/** What a refused call says, for people. */
export const ProblemBody = ({ problem }: { problem: Problem }) => (
  <>
    <p class="error" role="alert">
      {problem.detail}
    </p>
    {problem.errors.length === 0 ? null : (
      <ul>
        {problem.errors.map(({ field, message }) => (
          <li>
            <code>{field}</code> {message}
          </li>
        ))}
      </ul>
    )}
  </>
);
