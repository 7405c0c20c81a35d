import type { Contract, OperatorContract } from "../../contract/index.ts";
import type { Operations } from "../operation.ts";
import { hubOperations } from "./hub.ts";

/** What stands behind each endpoint of the contract. */
export const networkOperations: Partial<Operations<Contract>> = {
  hub: hubOperations,
};

export const operatorOperations: Partial<Operations<OperatorContract>> = {};
