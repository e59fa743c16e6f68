/// The reason why a record or a row was rejected: a stable code in `rejected_record`.
///
/// Nothing of a rejected record is used. If only a row is rejected, the rest of its record is used.
/// Codes never change their meaning; `Docs/rejects.md` has a paragraph about each code.
public enum RejectReason: String, Sendable, Hashable, CaseIterable {
  /// The bytes are not a JSON value.
  case invalidJSON = "invalid_json"
  /// The bytes are not UTF-8.
  case invalidUTF8 = "invalid_utf8"
  /// A text has a character below U+0020.
  ///
  /// No field of Apple contains one, and some databases refuse it.
  case controlCharacter = "control_character"
  /// Objects and arrays are nested more than 128 levels deep.
  case nestedTooDeep = "nested_too_deep"
  /// The record is larger than 16 MiB.
  case recordTooLarge = "record_too_large"
  /// A known key occurs twice in one object, so that its value is ambiguous.
  case duplicateKey = "duplicate_key"
  /// The record is not a JSON object.
  case notAnObject = "not_an_object"
  /// The value of a known key has a type that is impossible for the field.
  case wrongType = "wrong_type"
  /// A row of a CSV table has more or fewer fields than the header of the table.
  case tableRowUneven = "table_row_uneven"
  /// A quotation mark that opens a field of a CSV table is never closed.
  case tableQuoteOpen = "table_quote_open"
  /// The object contains neither a response nor a transaction, so it is not a receipt.
  case notAReceipt = "not_a_receipt"
  /// An id is longer than 512 bytes; in a row, only the row is rejected.
  case idTooLong = "id_too_long"
  /// The record is a snapshot of a time that lies in the future of the run that read the record.
  ///
  /// One such record would move the as-of time of all facts.
  case futureSnapshot = "future_snapshot"
  /// The record has rows, but none of them is usable.
  case noUsableRow = "no_usable_row"

  /// Apple responded that the request was not an HTTP POST.
  case status21000 = "status_21000"
  /// A status that Apple no longer sends.
  case status21001 = "status_21001"
  /// The receipt data was malformed, or the service failed temporarily (retryable).
  case status21002 = "status_21002"
  /// The receipt could not be authenticated.
  case status21003 = "status_21003"
  /// The shared secret was wrong: the program that exports the receipts has a wrong setting.
  case status21004 = "status_21004"
  /// The receipt server was unavailable (retryable).
  case status21005 = "status_21005"
  /// A production receipt was sent to the sandbox.
  case status21008 = "status_21008"
  /// An internal error at Apple (retryable).
  case status21009 = "status_21009"
  /// An internal error at Apple, 21100 to 21199 (retryable).
  case status211xx = "status_211xx"
  /// Apple responded with any other status.
  case statusUnknown = "status_unknown"

  /// A row without a transaction id.
  case rowWithoutTransactionID = "row_without_transaction_id"
  /// A row without a product id.
  case rowWithoutProductID = "row_without_product_id"
  /// A row without a purchase date, or a renewal state in a response without a date.
  case rowWithoutPurchaseDate = "row_without_purchase_date"
  /// A flag of a row is neither true nor false.
  case rowInvalidFlag = "row_invalid_flag"
  /// A date of a row cannot be read, or lies outside the years 1 to 9999.
  case rowInvalidDate = "row_invalid_date"
  /// A quantity is not a whole number from 1 to 1,000,000.
  case rowInvalidQuantity = "row_invalid_quantity"
  /// A subscription's row that covers more time than Apple sells, as in forged receipts.
  case impossiblePeriod = "impossible_period"

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
  /// An offer of a report is invalid.
  ///
  /// Possible faults: the offer has no price or no id, its payment mode or period is unknown, it
  /// has a price although it is free, or it has two different prices.
  case priceInvalidOffer = "price_invalid_offer"
  /// The report has a special format, such as RevenueCat's, and the pipeline names no format.
  ///
  /// Without the name of the format, the price would be read from the wrong field.
  case priceUnnamedFormat = "price_unnamed_format"

  /// The token has fewer than three parts, or its signature is too short: the text was cut off.
  case tokenTruncated = "token_truncated"
  /// The text is not a compact JWS: more than three parts, or characters outside base64url.
  case tokenMalformed = "token_malformed"
  /// The header is larger than 16 KiB; Apple's headers have 4.4 KiB.
  case tokenHeaderTooLarge = "token_header_too_large"
  /// The payload is larger than 1 MiB.
  case tokenPayloadTooLarge = "token_payload_too_large"
  /// The header is not a JSON object with `alg` and `x5c`.
  case tokenHeaderUnreadable = "token_header_unreadable"
  /// The header specifies an algorithm other than ES256, such as `none`.
  case tokenWrongAlgorithm = "token_algorithm"
  /// The header has `crit`, a list of required extensions; Apple's tokens have none.
  case tokenCriticalExtension = "token_critical_extension"
  /// The header does not have exactly three certificates.
  case tokenCertificateCount = "token_certificate_count"
  /// A certificate cannot be read.
  case tokenCertificateUnreadable = "token_certificate_unreadable"
  /// The third certificate is not a trusted root.
  case tokenRootNotTrusted = "token_root_not_trusted"
  /// The first certificate lacks Apple's extension 1.2.840.113635.100.6.11.1.
  case tokenLeafMarkMissing = "token_leaf_mark_missing"
  /// The second certificate lacks Apple's extension 1.2.840.113635.100.6.2.1.
  case tokenIntermediateMarkMissing = "token_intermediate_mark_missing"
  /// The certificates do not form a chain of signatures up to the root.
  case tokenChainInvalid = "token_chain_invalid"
  /// The key of the first certificate is not a P-256 key, which ES256 requires.
  case tokenWrongKeyKind = "token_key_kind"
  /// A certificate was not valid when the token was signed.
  case tokenNotValidAtSigning = "token_not_valid_at_signing"
  /// The signature does not match the header and payload.
  case tokenWrongSignature = "token_signature_wrong"
  /// The payload is not a strict JSON object.
  case tokenPayloadUnreadable = "token_payload_unreadable"
  /// The payload is neither a transaction, nor a renewal, nor a notification.
  case tokenPayloadUnknown = "token_payload_unknown"
  /// The payload lacks a field that is required for its kind.
  case tokenFieldMissing = "token_field_missing"
  /// A field of the payload has an impossible value.
  case tokenFieldInvalid = "token_field_invalid"
  /// `signedDate` is not in the years 1970 to 9999.
  case tokenSignedDateOutOfRange = "token_signed_date_out_of_range"
  /// The environment is Xcode or LocalTesting, which Apple does not sign.
  case tokenEnvironmentNotSigned = "token_environment_not_signed"
  /// The pipeline does not accept the environment.
  case tokenWrongEnvironment = "token_environment"
  /// The pipeline does not accept the app.
  case tokenWrongBundle = "token_bundle"

  /// A line in a report of App Store Connect lacks a required field.
  case reportFieldMissing = "report_field_missing"
  /// A field of a line in a report of App Store Connect has an impossible value.
  case reportFieldInvalid = "report_field_invalid"
  /// The line does not cover exactly one day.
  case reportNotDaily = "report_not_daily"

  /// The largest size of an id in bytes; a longer id is rejected as ``idTooLong``.
  public static let longestID = 512

  /// The detail of a reject as ``futureSnapshot``, which sorts by the time in it.
  ///
  /// - Parameter time: The time of the snapshot, in ISO 8601.
  public static func futureDetail(_ time: String) -> String { "a snapshot of \(time)" }

  /// Whether another request to Apple may succeed.
  public var isRetryable: Bool {
    switch self {
    case .status21002, .status21005, .status21009, .status211xx: true
    default: false
    }
  }

  /// Whether only a row is rejected, and the rest of its record is used.
  public var isRowOnly: Bool {
    switch self {
    case .rowWithoutTransactionID, .rowWithoutProductID, .rowWithoutPurchaseDate, .rowInvalidFlag,
      .rowInvalidDate, .rowInvalidQuantity, .impossiblePeriod, .idTooLong:
      true
    default: false
    }
  }
}

/// An unusable record or row: its line, the reason, and a detail without personal data.
public struct Reject: Hashable, Sendable {
  /// The line of the decompressed file on which the record begins; 1-based.
  public let line: Int
  /// The reason: one of the stable codes.
  public let reason: RejectReason
  /// The expected and the found value, such as a key name, a byte offset or a status.
  ///
  /// It never contains a customer's data.
  public let detail: String

  /// Creates the description of an unusable record or row.
  public init(line: Int, reason: RejectReason, detail: String) {
    self.line = line
    self.reason = reason
    self.detail = detail
  }
}
