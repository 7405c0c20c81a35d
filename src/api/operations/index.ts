import type { Contract, OperatorContract } from "../../contract/index.ts";
import type { Operations } from "../operation.ts";

/** What stands behind each endpoint of the contract. */
export const networkOperations: Partial<Operations<Contract>> = {};

export const operatorOperations: Partial<Operations<OperatorContract>> = {};
