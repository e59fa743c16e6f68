/// The reason why a record or a row of an export could not be used: the stable codes of
/// `rejected_record`.
///
/// A rejected record contributes nothing; a rejected row leaves the rest of its record in use.
/// Codes never change their meaning; `Docs/rejects.md` has a paragraph for each.
public enum RejectReason: String, Sendable, Hashable, CaseIterable {
  /// The bytes are not a JSON value.
  case invalidJSON = "invalid_json"
  /// The bytes are not UTF-8.
  case invalidUTF8 = "invalid_utf8"
  /// A text holds a character below U+0020, which no Apple field has and databases choke on.
  case controlCharacter = "control_character"
  /// Objects and arrays are nested deeper than 128.
  case nestedTooDeep = "nested_too_deep"
  /// The record is larger than 16 MiB.
  case recordTooLarge = "record_too_large"
  /// A known key occurs twice in one object, so that readers would disagree about its value.
  case duplicateKey = "duplicate_key"
  /// The record is not a JSON object.
  case notAnObject = "not_an_object"
  /// A known key holds a value of a type that the field never has.
  case wrongType = "wrong_type"
  /// The row of a table has more or fewer cells than its header.
  case tableRowUneven = "table_row_uneven"
  /// A quotation mark that opens a table's cell is never closed.
  case tableQuoteOpen = "table_quote_open"
  /// The object holds neither a response nor a transaction, so it is not a receipt.
  case notAReceipt = "not_a_receipt"
  /// The record has rows, and not one of them can be used.
  case noUsableRow = "no_usable_row"

  /// Apple answered that the request was not an HTTP POST.
  case status21000 = "status_21000"
  /// A status that Apple no longer sends.
  case status21001 = "status_21001"
  /// The receipt data was malformed, or the service failed for a moment (retryable).
  case status21002 = "status_21002"
  /// The receipt could not be authenticated.
  case status21003 = "status_21003"
  /// The shared secret was wrong: the export itself is misconfigured.
  case status21004 = "status_21004"
  /// The receipt server was unavailable (retryable).
  case status21005 = "status_21005"
  /// A production receipt was sent to the sandbox.
  case status21008 = "status_21008"
  /// An internal error at Apple (retryable).
  case status21009 = "status_21009"
  /// An internal error at Apple, 21100 to 21199.
  case status211xx = "status_211xx"
  /// Any other status.
  case statusUnknown = "status_unknown"

  /// A row without a transaction id.
  case rowWithoutTransactionID = "row_without_transaction_id"
  /// A row without a product id.
  case rowWithoutProductID = "row_without_product_id"
  /// A row without a purchase date, or a renewal state of a response that nothing dates.
  case rowWithoutPurchaseDate = "row_without_purchase_date"
  /// A flag of a row is neither true nor false.
  case rowInvalidFlag = "row_invalid_flag"
  /// A date of a row cannot be read, or lies outside the years 1 to 9999.
  case rowInvalidDate = "row_invalid_date"
  /// A quantity is not a whole number from 1 to 1,000,000.
  case rowInvalidQuantity = "row_invalid_quantity"

  /// A price report without a product.
  case priceWithoutProduct = "price_without_product"
  /// A price report without a currency.
  case priceWithoutCurrency = "price_without_currency"
  /// A price report without a price.
  case priceWithoutPrice = "price_without_price"
  /// A price report without a time.
  case priceWithoutTime = "price_without_time"
  /// A currency is not three letters.
  case priceInvalidCurrency = "price_invalid_currency"
  /// A price is not a plain decimal number: a comma, letters, NaN.
  case priceNotADecimal = "price_not_a_decimal"
  /// A price is written with an exponent.
  case priceHasExponent = "price_has_exponent"
  /// A price is below zero.
  case priceNegative = "price_negative"
  /// A price has digits beyond thousandths.
  case priceTooPrecise = "price_too_precise"
  /// A price is above a thousand million main units.
  case priceTooLarge = "price_too_large"
  /// The time of a report cannot be read.
  case priceInvalidTime = "price_invalid_time"
  /// An offer of a report lacks its price or id, names a mode or period that does not exist, is
  /// free and paid at once, or occurs twice with different prices.
  case priceInvalidOffer = "price_invalid_offer"
  /// A report with the mark of a format whose price stands in another field, in an entry without a
  /// format.
  case priceUnnamedFormat = "price_unnamed_format"

  /// Fewer than three parts, or a signature that is too short: the text was cut off.
  case tokenTruncated = "token_truncated"
  /// No compact JWS: more than three parts, or letters that base64url does not have.
  case tokenMalformed = "token_malformed"
  /// The header is larger than 16 KiB; Apple's has 4.4.
  case tokenHeaderTooLarge = "token_header_too_large"
  /// The payload is larger than 1 MiB.
  case tokenPayloadTooLarge = "token_payload_too_large"
  /// The header is not a JSON object with `alg` and `x5c`.
  case tokenHeaderUnreadable = "token_header_unreadable"
  /// The header names another algorithm than ES256, such as `none`.
  case tokenWrongAlgorithm = "token_algorithm"
  /// The header demands an extension (`crit`), and Apple demands none.
  case tokenCriticalExtension = "token_critical_extension"
  /// The header has another number of certificates than three.
  case tokenCertificateCount = "token_certificate_count"
  /// A certificate cannot be read.
  case tokenCertificateUnreadable = "token_certificate_unreadable"
  /// The third certificate is not a trusted root.
  case tokenRootNotTrusted = "token_root_not_trusted"
  /// The first certificate lacks Apple's mark 1.2.840.113635.100.6.11.1.
  case tokenLeafMarkMissing = "token_leaf_mark_missing"
  /// The second certificate lacks Apple's mark 1.2.840.113635.100.6.2.1.
  case tokenIntermediateMarkMissing = "token_intermediate_mark_missing"
  /// The certificates do not vouch for each other.
  case tokenChainInvalid = "token_chain_invalid"
  /// The first certificate's key is not a P-256 key, as ES256 needs.
  case tokenWrongKeyKind = "token_key_kind"
  /// A certificate was not valid when the token was signed.
  case tokenNotValidAtSigning = "token_not_valid_at_signing"
  /// The signature is not that of header and payload.
  case tokenWrongSignature = "token_signature_wrong"
  /// The payload is not a strict JSON object.
  case tokenPayloadUnreadable = "token_payload_unreadable"
  /// The payload is neither a transaction, nor a renewal, nor a notification.
  case tokenPayloadUnknown = "token_payload_unknown"
  /// The payload lacks a field that every one of its kind has.
  case tokenFieldMissing = "token_field_missing"
  /// A field of the payload has a value that it cannot have.
  case tokenFieldInvalid = "token_field_invalid"
  /// `signedDate` lies outside the years 1970 to 9999.
  case tokenSignedDateOutOfRange = "token_signed_date_out_of_range"
  /// The environment is Xcode or LocalTesting, which Apple does not sign.
  case tokenEnvironmentNotSigned = "token_environment_not_signed"
  /// The environment is not one of the wanted ones.
  case tokenWrongEnvironment = "token_environment"
  /// The app is not one of the wanted ones.
  case tokenWrongBundle = "token_bundle"

  /// A line of one of Apple's reports lacks a cell that it needs.
  case reportFieldMissing = "report_field_missing"
  /// A cell of a report's line has an impossible value.
  case reportFieldInvalid = "report_field_invalid"
  /// The line is about more than one day, or none.
  case reportNotDaily = "report_not_daily"

  /// Whether asking Apple again can cure the record.
  public var isRetryable: Bool {
    switch self {
    case .status21002, .status21005, .status21009, .status211xx: true
    default: false
    }
  }

  /// Whether only one row of a record is lost, and the rest of the record is used.
  public var isRowOnly: Bool {
    switch self {
    case .rowWithoutTransactionID, .rowWithoutProductID, .rowWithoutPurchaseDate, .rowInvalidFlag,
      .rowInvalidDate, .rowInvalidQuantity:
      true
    default: false
    }
  }
}

/// One unusable record or row: its place, the reason, and the found value, without personal data.
public struct Reject: Hashable, Sendable {
  /// The line of the inflated file on which the record begins; 1-based.
  public let line: Int
  /// The stable reason.
  public let reason: RejectReason
  /// The expected and the found value: a key name, a byte offset, a status; never a customer's
  /// value.
  public let detail: String

  /// Creates an unusable record or row from its fields.
  public init(line: Int, reason: RejectReason, detail: String) {
    self.line = line
    self.reason = reason
    self.detail = detail
  }
}
