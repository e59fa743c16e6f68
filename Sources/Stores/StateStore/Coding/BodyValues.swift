internal import Amounts
internal import CivilTime
internal import PriceLearning
internal import PurchaseModel

/// An id that is a text.
protocol SymbolID: BodyValue {
  var symbol: Symbol { get }
  init(_ symbol: Symbol)
}

extension SymbolID {
  static var blank: Self { Self(Symbol(rawValue: 0)) }

  @inline(__always) mutating func coded(by coder: inout some BodyCoder) {
    var symbol = symbol
    coder.code(&symbol)
    self = Self(symbol)
  }
}

extension ProductID: SymbolID {}
extension BundleID: SymbolID {}
extension OfferID: SymbolID {}
extension SubscriptionGroupID: SymbolID {}

extension Symbol: BodyValue {
  static var blank: Symbol { Symbol(rawValue: 0) }

  @inline(__always) mutating func coded(by coder: inout some BodyCoder) {
    var symbol: Symbol? = self
    coder.code(&symbol)
    self = coder.known(symbol, or: .blank)
  }
}

extension CustomerID: BodyValue {
  static var blank: CustomerID { CustomerID(.blank) }

  mutating func coded(by coder: inout some BodyCoder) {
    var customer: CustomerID? = self
    coder.code(&customer)
    self = coder.known(customer, or: .blank)
  }
}

/// An id of Apple's that is a number or a text.
protocol NumberedID {
  var number: AppleNumber { get }
  init(_ number: AppleNumber)
}

extension TransactionID: NumberedID {}
extension OriginalTransactionID: NumberedID {}
extension LineItemID: NumberedID {}

/// A code of letters.
protocol LetterCode: BodyValue {
  var rawValue: UInt32 { get }
  init(rawValue: UInt32)
}

extension LetterCode {
  static var blank: Self { Self(rawValue: 0) }

  @inline(__always) mutating func coded(by coder: inout some BodyCoder) {
    var letters = rawValue
    coder.code(&letters, below: 1 << 32)
    self = Self(rawValue: letters)
  }
}

extension Currency: LetterCode {}
extension Storefront: LetterCode {}

/// A price; a price outside of the allowed range means damaged data.
extension Milliunits: BodyValue {
  static var blank: Milliunits { .zero }

  @inline(__always) mutating func coded(by coder: inout some BodyCoder) {
    var number = rawValue
    coder.code(&number)
    let price = Milliunits(number)
    self = coder.known(price >= .zero && price <= .largestPrice ? price : nil, or: .zero)
  }
}

extension SignedPrice: BodyValue {
  static var blank: SignedPrice { SignedPrice(amount: .zero, currency: .blank) }

  mutating func coded(by coder: inout some BodyCoder) {
    coder.code(&currency)
    coder.code(&amount)
  }
}

/// A case that is stored as its position among all cases, below 16.
protocol IndexedCase: BodyValue, CaseIterable, Equatable {}

extension IndexedCase where AllCases == [Self] {
  var number: UInt8 { UInt8(Self.allCases.firstIndex(of: self) ?? 0) }

  init?(number: UInt8) {
    guard Int(number) < Self.allCases.count else { return nil }
    self = Self.allCases[Int(number)]
  }

  mutating func coded(by coder: inout some BodyCoder) {
    var number = number
    coder.code(&number)
    self = coder.known(Self(number: number), or: .blank)
  }
}

extension Verdict: IndexedCase {
  static var blank: Verdict { .noReference }
}

extension ProductKind: IndexedCase {
  static var blank: ProductKind { .unknown }
}
