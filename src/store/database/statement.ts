/** A statement that the server prepares once per connection, under its name. One with an empty name is not kept. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}
