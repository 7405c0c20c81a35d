import { AppError, type ErrorCode } from "../errors.ts";
import { en, type Texts } from "./en.ts";

/** An AppError that members read in their own language. Its `message` is English, for logs, rows, the console and the API. */
export class TranslatedError extends AppError {
  /** The message from a language's texts. */
  readonly say: (texts: Texts) => string;

  constructor(
    code: ErrorCode,
    say: (texts: Texts) => string,
    details: ConstructorParameters<typeof AppError>[2] = {},
  ) {
    super(code, say(en), details);
    this.say = say;
  }
}
