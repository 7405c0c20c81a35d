import type { z } from "zod";
import type { RuleText } from "../rule-text.ts";

/** A test of a text with its parameter. */
export interface TextTest {
  holds(text: RuleText): boolean;
  cost: number;
  /** Continues "the text": 'contains "airdrop"'. */
  sentence: string;
}

/** A kind of test: one file each. */
export interface TextTestKind {
  name: string;
  schema: z.ZodType<TextTest>;
}
