internal import Amounts
internal import CivilTime
internal import Diagnostics
internal import PurchaseModel

/// StoreKit's period units with their lengths; the position of a unit in this list is its number in
/// StoreKit.
private let periodUnits: [(word: StaticString, months: Int, days: Int)] = [
  ("day", 0, 1), ("week", 0, 7), ("month", 1, 0), ("year", 12, 0),
]

extension RecordReader {
  /// Reads an offer of the own form; half an offer is a fault.
  ///
  /// `nil` for an introductory offer without any known field, and for an offer that contradicts
  /// itself: see ``offer(_:_:_:numberOfPeriods:period:_:)``.
  mutating func ownOffer(
    _ scalars: OfferScalars, _ cursor: JSONCursor
  ) throws(FieldFault) -> OfferPrice? {
    if scalars.isIntroductory, scalars.isEmpty { return nil }
    var period: Period?
    if let scalar = scalars.period {
      period = try self.period(scalar, cursor)
    } else if scalars.unit != nil || scalars.units != nil {
      if let unit = scalars.unit, let count = scalars.units {
        period = try self.period(unit: unit, count: count, in: cursor)
      }
      guard period != nil else {
        throw FieldFault(reason: .priceInvalidOffer, key: LayoutField.offerPeriod.rawValue)
      }
    }
    var id: Symbol?
    if !scalars.isIntroductory {
      id = try scalars.id.flatMap { (id) throws(FieldFault) in try fields.symbol(id, in: cursor) }
      guard id != nil else {
        throw FieldFault(reason: .priceInvalidOffer, key: LayoutField.offerID.rawValue)
      }
    }
    return try offer(
      id.map(OfferID.init), scalars.price, scalars.mode, numberOfPeriods: scalars.periods,
      period: period, cursor)
  }

  /// Creates an offer from its values.
  ///
  /// `nil` for an offer that contradicts itself: a price of 0 with a paid mode, a price of a free
  /// trial, or a number of periods of 0. The report is used without the offer, which is counted.
  /// Example: an SDK sends the price 0 and `pay_as_you_go` for a product without an offer.
  private mutating func offer(
    _ id: OfferID?, _ price: Scalar?, _ mode: Scalar?, numberOfPeriods: Scalar?, period: Period?,
    _ cursor: JSONCursor
  ) throws(FieldFault) -> OfferPrice? {
    guard let price, price.length > 0 else {
      throw FieldFault(reason: .priceInvalidOffer, key: LayoutField.price.rawValue)
    }
    let amount = try fields.amount(price, in: cursor)
    let paymentMode = try paymentMode(mode, cursor) ?? (amount == .zero ? .freeTrial : nil)
    guard let paymentMode else {
      throw FieldFault(reason: .priceInvalidOffer, key: LayoutField.offerMode.rawValue)
    }
    var count: Int32?
    if let scalar = numberOfPeriods, scalar.length > 0 {
      guard let value = try fields.integer(scalar, in: cursor), (0...12_000).contains(value) else {
        throw FieldFault(reason: .priceInvalidOffer, key: LayoutField.offerPeriods.rawValue)
      }
      count = Int32(clamping: value)
    }
    guard (paymentMode == .freeTrial) == (amount == .zero), count != 0 else {
      notices.undecidedOffers += 1
      return nil
    }
    return OfferPrice(
      offerID: id, price: amount, paymentMode: paymentMode, numberOfPeriods: count,
      period: period)
  }

  /// Reads a payment mode from StoreKit's number or from a name; `nil` if missing or empty.
  ///
  /// Every spelling of the name is accepted: `payAsYouGo`, `pay_as_you_go`.
  mutating func paymentMode(
    _ scalar: Scalar?, _ cursor: JSONCursor
  ) throws(FieldFault) -> PaymentMode? {
    guard let scalar, scalar.length > 0 else { return nil }
    let mode = try fields.withText(scalar, in: cursor) { text -> PaymentMode? in
      switch true {
      case isName(text, "0"), isName(text, "payasyougo"): .payAsYouGo
      case isName(text, "1"), isName(text, "payupfront"), isName(text, "upfront"): .payUpFront
      case isName(text, "2"), isName(text, "freetrial"), isName(text, "trial"): .freeTrial
      default: nil
      }
    }
    guard let mode else {
      throw FieldFault(reason: .priceInvalidOffer, key: LayoutField.offerMode.rawValue)
    }
    return mode
  }

  mutating func period(
    _ scalar: Scalar, _ cursor: JSONCursor
  ) throws(FieldFault) -> Period {
    guard let period = try fields.withText(scalar, in: cursor, { Period(text: $0) }) else {
      throw FieldFault(reason: .priceInvalidOffer, key: LayoutField.offerPeriod.rawValue)
    }
    return period
  }

  /// Reads a period from a unit and the number of units; `nil` if a value is unknown or invalid.
  ///
  /// If `count` is `nil`, the number is 1.
  mutating func period(
    unit: Scalar, count: Scalar?, in cursor: JSONCursor
  ) throws(FieldFault) -> Period? {
    var number: Int64 = 1
    if let count {
      guard let given = try fields.integer(count, in: cursor), (1...12_000).contains(given) else {
        return nil
      }
      number = given
    }
    let known = try fields.withText(unit, in: cursor) { text in
      periodUnits.indices.first { index in
        isName(text, periodUnits[index].word)
          || (text.count == 1 && text[0] == UInt8(ascii: "0") + UInt8(index))
      }
    }
    guard let known else { return nil }
    let (_, months, days) = periodUnits[known]
    return months > 0 ? Period(Int(number) * months, .month) : Period(Int(number) * days, .day)
  }
}

/// Returns true if a text equals a name or, unless `isWhole`, begins with the name.
///
/// Ignores case, underscores, hyphens and blanks in the text.
func isName(_ text: Span<UInt8>, _ name: StaticString, isWhole: Bool = true) -> Bool {
  var matched = 0
  for index in 0..<text.count {
    if matched == name.utf8CodeUnitCount, !isWhole { return true }
    let byte = text[index]
    if byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") || byte == 0x20 { continue }
    let lower = byte &- 0x41 <= 25 ? byte | 0x20 : byte
    guard matched < name.utf8CodeUnitCount, unsafe lower == name.utf8Start[matched] else {
      return false
    }
    matched += 1
  }
  return matched == name.utf8CodeUnitCount
}

extension FieldReader {
  /// Reads a price exactly from its digits, after removing the noise of a binary float.
  ///
  /// Example: `4.98999999999999932498` → 4.99. A price in quotation marks may have this noise too,
  /// or a sign of its currency, with either decimal sign: `9.99 €`.
  mutating func amount(
    _ scalar: Scalar, in cursor: JSONCursor, of currency: Currency? = nil
  ) throws(FieldFault) -> Milliunits {
    let limit = largestNumber
    let isText = scalar.kind == .text || scalar.kind == .escapedText
    let hasComma = hasDecimalComma && isText
    let result = try withText(scalar, in: cursor) { text -> Result<Milliunits, AmountError> in
      let result = Self.amount(text, hasComma: hasComma, atMost: limit)
      guard case .failure(.notADecimal) = result, isText, let currency,
        let number = CurrencySign.number(in: text, of: currency)
      else { return result }
      return Self.amount(number.span, hasComma: false, atMost: limit)
    }
    switch result {
    case .success(let amount): return amount
    case .failure(let error):
      throw FieldFault(reason: reason(error), key: LayoutField.price.rawValue)
    }
  }

  private static func amount(_ text: Span<UInt8>, hasComma: Bool, atMost limit: Milliunits)
    -> Result<Milliunits, AmountError>
  {
    do throws(AmountError) {
      if hasComma {
        guard let plain = DecimalComma.plain(text) else { return .failure(.notADecimal) }
        return .success(
          try Milliunits(decimal: plain.span, allowingFloatNoise: false, atMost: limit))
      }
      return .success(try Milliunits(decimal: text, allowingFloatNoise: true, atMost: limit))
    } catch {
      return .failure(error)
    }
  }

  private func reason(_ error: AmountError) -> RejectReason {
    switch error {
    case .notADecimal: .priceNotADecimal
    case .hasExponent: .priceHasExponent
    case .negative: .priceNegative
    case .tooPrecise: .priceTooPrecise
    case .tooLarge, .overflow: .priceTooLarge
    }
  }
}
