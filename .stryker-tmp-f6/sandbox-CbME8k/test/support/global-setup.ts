// @ts-nocheck
import { prepareTemplate } from "./database-template.ts";

export default prepareTemplate;
