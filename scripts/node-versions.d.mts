export declare const RUNTIME: string;
export declare const OLDEST: string;
export declare function installNode(version: string): string;
export declare function onNode(bin: string): { PATH: string };
