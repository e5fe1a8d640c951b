/** Path from the root → content, for every generated file of the SDK. */
export declare function sdkFiles(): Map<string, string>;
