/** The rule files of a checkout: name to text. */
export declare function ruleTexts(root: string): Map<string, string>;
