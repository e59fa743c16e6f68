extension RejectReason {
  /// The expected content, or the remedy, in one line; `Docs/rejects.md` has more.
  public var advice: String {
    switch self {
    case .invalidJSON:
      "expected one JSON object per line, a JSON array, or concatenated JSON "
        + "objects"
    case .invalidUTF8:
      "expected UTF-8; export the file in this encoding, or convert one of a Windows program: "
        + "iconv -f WINDOWS-1252 -t UTF-8 old.csv > new.csv"
    case .controlCharacter:
      "expected text without control characters; fix the program that "
        + "writes it"
    case .nestedTooDeep: "expected at most 128 levels of nesting; the record is damaged"
    case .recordTooLarge: "expected at most 16 MiB per record; are line ends missing?"
    case .duplicateKey: "expected each key once in an object"
    case .notAnObject: "expected one JSON object per record, not a plain value or a quoted text"
    case .wrongType: "expected the type of value that Apple sends under this key"
    case .tableRowUneven:
      "expected one cell for each column name in the first line; does a cell contain a separator "
        + "without quotes?"
    case .tableQuoteOpen:
      "expected a closing quotation mark; double a quotation mark within a cell"
    case .priceUnnamedFormat:
      "name the format of these prices in the pipeline file: "
        + "inputs.prices: {files: …, format: …}"
    case .notAReceipt:
      "expected Apple's response, or a record with customer_id and that response under the key "
        + "response"
    case .idTooLong: "expected at most 512 bytes; Apple's ids have fewer than 100"
    case .futureSnapshot:
      "expected a time that has passed; fix the program that writes it, or the clock of this machine"
    case .noUsableRow: "expected rows with Apple's key names, such as transaction_id and product_id"
    case .status21000, .status21001: "Apple did not check the receipt; send it again"
    case .status21002, .status21005, .status21009, .status211xx:
      "Apple could not answer at that time; send it again"
    case .status21003: "Apple does not know the receipt; it is forged or damaged"
    case .status21004:
      "the shared secret is wrong: send the receipt again with the app's own "
        + "secret"
    case .status21008: "a production receipt was sent to the sandbox; send it to production"
    case .statusUnknown: "expected 0 or a status that Apple documents"
    case .rowWithoutTransactionID: "expected transaction_id in every row"
    case .rowWithoutProductID: "expected product_id in every row"
    case .rowWithoutPurchaseDate:
      "expected purchase_date_ms or purchase_date in every row; for a renewal state, expected "
        + "request_date_ms or received_at"
    case .rowInvalidFlag: "expected \"true\", \"false\", true, false, 1 or 0"
    case .rowInvalidDate:
      "expected milliseconds since 1970, or a date such as 2021-08-09 18:26:02; a spreadsheet's "
        + "8/9/2021 does not show the month"
    case .rowInvalidQuantity: "expected a whole number from 1 to 1,000,000"
    case .impossiblePeriod:
      "expected at most 600 days from the purchase to the expiry; the receipt is probably forged"
    case .priceWithoutProduct:
      "expected product_id in every price report; map a key of another name under inputs.price_keys"
    case .priceWithoutCurrency:
      "expected currency in every price report, such as USD; map a key of another name under "
        + "inputs.price_keys, or where all prices are in one, write values: {currency: USD} in the "
        + "entry: $ is the sign of several"
    case .priceWithoutPrice:
      "expected price in every price report, such as \"9.99\"; map a key of another name under "
        + "inputs.price_keys"
    case .priceWithoutTime:
      "expected reported_at in every price report, or reported_at_ms; map a key of another name "
        + "under inputs.price_keys"
    case .priceInvalidCurrency: "expected the three letters of ISO 4217, such as USD, not $ or US"
    case .priceNotADecimal, .priceHasExponent, .priceTooPrecise:
      "expected a number with a point and at most three decimals, such as 9.99 or \"9.99\", in "
        + "the unit that price_unit names (999 with minor); for 9,99 write decimal: \",\" in the entry"
    case .priceNegative: "expected 0 or more"
    case .priceTooLarge: "expected the currency's main unit: 9.99, not thousandths or millionths"
    case .priceInvalidTime:
      "expected 2021-04-28T19:42:01Z, or seconds, milliseconds or microseconds since 1970; Swift's "
        + "own seconds since 2001 are refused"
    case .priceInvalidOffer:
      "expected an offer whose price, payment_mode, number_of_periods and subscription_period agree"
    case .reportFieldMissing:
      "expected this column and a value; list a file of another kind under its own key of inputs"
    case .reportFieldInvalid: "expected a valid value in this column; fetch the report again"
    case .reportNotDaily:
      "expected a daily report: equal Begin Date and End Date, or a day at {date} of the pattern"
    default: tokenAdvice
    }
  }
}

extension RejectReason {
  /// The advice for signed transactions; for any other reason, the reason's code.
  private var tokenAdvice: String {
    switch self {
    case .tokenTruncated: "the token is cut off: expected three parts and a whole signature"
    case .tokenMalformed: "the text is not a token: expected three base64url parts, joined by dots"
    case .tokenHeaderTooLarge: "the token's header is larger than 16 KiB"
    case .tokenPayloadTooLarge: "the token's payload is larger than 1 MiB"
    case .tokenHeaderUnreadable: "the token's header is not a JSON object with alg and x5c"
    case .tokenWrongAlgorithm: "the token is not signed with ES256"
    case .tokenCriticalExtension:
      "the token's header requires an extension, which Apple's tokens never have"
    case .tokenCertificateCount: "the token does not hold exactly three certificates"
    case .tokenCertificateUnreadable: "a certificate of the token cannot be read"
    case .tokenRootNotTrusted:
      "the token is not signed under Apple's root certificate, or not under one of signed_roots, "
        + "which are trusted instead of Apple's"
    case .tokenLeafMarkMissing:
      "the signer's certificate is not one that Apple issues for signing transactions"
    case .tokenIntermediateMarkMissing:
      "the issuer's certificate is not from Apple Worldwide Developer Relations"
    case .tokenChainInvalid: "the token's certificates do not form a valid chain"
    case .tokenWrongKeyKind: "the signer's key is not a P-256 key"
    case .tokenNotValidAtSigning: "a certificate of the token was not valid when it was signed"
    case .tokenWrongSignature:
      "the signature does not match the token: the token was changed or forged"
    case .tokenPayloadUnreadable: "the token's payload is not a JSON object"
    case .tokenPayloadUnknown:
      "the payload is neither a transaction, nor a renewal, nor a notification"
    case .tokenFieldMissing: "the payload lacks a required field"
    case .tokenFieldInvalid: "a field of the payload has an invalid value"
    case .tokenSignedDateOutOfRange: "signedDate is before 1970 or after 9999"
    case .tokenEnvironmentNotSigned: "Apple did not sign the token: it comes from a test in Xcode"
    case .tokenWrongEnvironment:
      "the token comes from an environment that the pipeline does not accept"
    case .tokenWrongBundle: "the token belongs to another app"
    default: rawValue
    }
  }
}
