import { told, wordingNow } from '../say.js';
import { sentenceOf, wordsOf } from '../error-words.js';
import type { Problem } from '../../../kernel/problems.js';

/** What a problem says to programs, for people. What we do not have in their language is marked, for those who hear it. */
export function Detail({ text }: { text: string }) {
  const said = told(text);
  return <p lang={said === text && !wordingNow().language.startsWith('en') ? 'en' : undefined}>{said}</p>;
}

export const ProblemBody = ({ problem }: { problem: Problem }) => (
  <>
    <div class="error" role="alert">
      <Detail text={problem.detail} />
    </div>
    {problem.errors.length === 0 ? null : (
      <ul>
        {problem.errors.map((error) => (
          <li>{sentenceOf(error, wordsOf(error.field))}</li>
        ))}
      </ul>
    )}
  </>
);
