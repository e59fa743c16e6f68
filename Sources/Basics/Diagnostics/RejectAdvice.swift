extension RejectReason {
  /// The expectation or the remedy, in one line; `Docs/rejects.md` says more.
  public var advice: String {
    switch self {
    case .invalidJSON: "expected one whole JSON object a line, a JSON array, or objects in a row"
    case .invalidUTF8: "expected UTF-8; export the file in this encoding"
    case .controlCharacter: "expected texts without control characters; find their writer"
    case .nestedTooDeep: "expected at most 128 levels; the record is broken"
    case .recordTooLarge: "expected at most 16 MiB a record; were line ends lost?"
    case .duplicateKey: "expected each key once in an object"
    case .notAnObject: "expected one JSON object a record, not a value or a text around it"
    case .wrongType: "expected what Apple sends under this key"
    case .tableRowUneven:
      "expected one cell for each name in the first line; is a separator unquoted?"
    case .tableQuoteOpen:
      "expected a closing quotation mark; a quote within a cell is written twice"
    case .priceUnnamedFormat: "expected an entry that names its format: {files: …, format: …}"
    case .notAReceipt:
      "expected Apple's answer, or a record with customer_id and that answer under response"
    case .noUsableRow: "expected rows under Apple's names, such as transaction_id and product_id"
    case .status21000, .status21001: "Apple did not look at the receipt; ask again"
    case .status21002, .status21005, .status21009, .status211xx:
      "Apple could not answer for the moment; ask again"
    case .status21003: "Apple does not know the receipt; it is forged or damaged"
    case .status21004: "the shared secret is wrong: ask again with the app's own"
    case .status21008: "a production receipt was sent to the sandbox; ask the other address"
    case .statusUnknown: "expected 0 or a status that Apple documents"
    case .rowWithoutTransactionID: "expected transaction_id in every row"
    case .rowWithoutProductID: "expected product_id in every row"
    case .rowWithoutPurchaseDate:
      "expected purchase_date_ms or purchase_date in every row; a renewal state is dated by "
        + "request_date_ms or received_at"
    case .rowInvalidFlag: "expected \"true\", \"false\", true, false, 1 or 0"
    case .rowInvalidDate: "expected milliseconds since 1970, or Apple's date text"
    case .rowInvalidQuantity: "expected a whole number from 1 to 1,000,000"
    case .priceWithoutProduct:
      "expected product_id in every price report; name a key of yours under inputs.price_keys"
    case .priceWithoutCurrency:
      "expected currency in every price report, such as USD; name a key of yours under "
        + "inputs.price_keys"
    case .priceWithoutPrice:
      "expected price in every price report, such as \"9.99\"; name a key of yours under "
        + "inputs.price_keys"
    case .priceWithoutTime:
      "expected reported_at in every price report, or reported_at_ms; name a key of yours under "
        + "inputs.price_keys"
    case .priceInvalidCurrency: "expected the three letters of ISO 4217, such as USD, not $ or US"
    case .priceNotADecimal, .priceHasExponent, .priceTooPrecise:
      "expected a number with a point and at most three decimals, such as 9.99 or \"9.99\""
    case .priceNegative: "expected 0 or more"
    case .priceTooLarge: "expected the currency's main unit: 9.99, not thousandths or millionths"
    case .priceInvalidTime:
      "expected 2021-04-28T19:42:01Z or milliseconds since 1970, not seconds"
    case .priceInvalidOffer:
      "expected price, payment_mode, number_of_periods and subscription_period that fit"
    case .reportFieldMissing: "expected a text in that column of the report"
    case .reportFieldInvalid: "expected a text that fits its column; fetch the report once more"
    case .reportNotDaily:
      "expected a daily report: Begin Date and End Date of one day, or {date} in the file's name"
    default: tokenAdvice
    }
  }
}

extension RejectReason {
  /// The expectation of a signed transaction; the code for any other reason.
  private var tokenAdvice: String {
    switch self {
    case .tokenTruncated: "the token is cut off: expected three parts and a whole signature"
    case .tokenMalformed: "the text is not a token: expected three base64url parts, joined by dots"
    case .tokenHeaderTooLarge: "the token's header is larger than 16 KiB"
    case .tokenPayloadTooLarge: "the token's payload is larger than 1 MiB"
    case .tokenHeaderUnreadable: "the token's header is not a JSON object with alg and x5c"
    case .tokenWrongAlgorithm: "the token is not signed with ES256"
    case .tokenCriticalExtension: "the token's header demands an extension, and Apple demands none"
    case .tokenCertificateCount: "the token does not carry exactly three certificates"
    case .tokenCertificateUnreadable: "a certificate of the token cannot be read"
    case .tokenRootNotTrusted: "the token's root certificate is none of the trusted ones"
    case .tokenLeafMarkMissing:
      "the signer's certificate is none that Apple signs transactions with"
    case .tokenIntermediateMarkMissing:
      "the issuer's certificate is none of Apple's developer relations"
    case .tokenChainInvalid: "the token's certificates do not vouch for each other"
    case .tokenWrongKeyKind: "the signer's key is not a P-256 key"
    case .tokenNotValidAtSigning: "a certificate of the token was not valid when it was signed"
    case .tokenWrongSignature: "the signature is not that of the token: it was changed or forged"
    case .tokenPayloadUnreadable: "the token's payload is not a JSON object"
    case .tokenPayloadUnknown:
      "the payload is neither a transaction, nor a renewal, nor a notification"
    case .tokenFieldMissing: "the payload lacks a field that it needs"
    case .tokenFieldInvalid: "a field of the payload has a value that it cannot have"
    case .tokenSignedDateOutOfRange: "signedDate lies outside the years 1970 to 9999"
    case .tokenEnvironmentNotSigned: "Apple did not sign it: it comes from a test in Xcode"
    case .tokenWrongEnvironment: "the token is of an environment that is not wanted here"
    case .tokenWrongBundle: "the token is of another app"
    default: rawValue
    }
  }
}
