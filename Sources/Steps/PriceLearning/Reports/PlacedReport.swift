public import Amounts
public import CivilTime
public import PurchaseModel

/// The household or customer behind a report: reports with equal numbers have one voter.
public struct Voter: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// A number that means nothing but "the same".
  public let rawValue: Int64
  /// Names a voter.
  public init(_ rawValue: Int64) { self.rawValue = rawValue }
  /// A stable order, numeric and without meaning.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// A price report with its place among the purchases: the input of learning.
///
/// Placing joins a report with the purchase it names and with its household. For example a report
/// of 9.99 USD that was sent on 2 May and names a purchase of 1 May is placed at 1 May, in the
/// storefront it names itself.
public struct PlacedReport: Hashable, BitwiseCopyable, Sendable {
  /// The identity of the report's content.
  public var evidenceID: Int64
  /// The purchase's time where the report names one of its product, else when it was reported.
  public var time: Instant
  /// The regular price of one unit.
  public var price: Milliunits
  /// The voter behind the report.
  public var voter: Voter
  /// The product.
  public var productID: ProductID
  /// The currency of every price in the report.
  public var currency: Currency
  /// The prices of offers in the report.
  public var offers: OfferListIndex
  /// The report's storefront, else where its household was nearest in time.
  public var place: Storefront?
  /// Whether the report names its storefront itself.
  public var isPlaceTold: Bool
  /// The storefront of the record around the purchase that it names, where that is another one than
  /// the report's own.
  public var rivalPlace: Storefront?
  /// Whether it names no purchase, and its customer bought nothing until 90 days after it.
  public var isLongBefore: Bool
  /// Whether it is a price that Apple signed, for a purchase at the price in force.
  ///
  /// It is always believed, and weighs as much as ten reports.
  public var isSigned: Bool
  /// The verdict that follows from its storefront; such a report has no vote.
  ///
  /// `nil` for all others, which are compared with each other.
  public var setAside: Verdict?

  /// Places a report.
  public init(
    evidenceID: Int64, time: Instant, price: Milliunits, voter: Voter, productID: ProductID,
    currency: Currency, offers: OfferListIndex, place: Storefront?, isPlaceTold: Bool,
    rivalPlace: Storefront? = nil, isLongBefore: Bool = false, isSigned: Bool = false,
    setAside: Verdict? = nil
  ) {
    self.evidenceID = evidenceID
    self.time = time
    self.price = price
    self.voter = voter
    self.productID = productID
    self.currency = currency
    self.offers = offers
    self.place = place
    self.isPlaceTold = isPlaceTold
    self.rivalPlace = rivalPlace
    self.isLongBefore = isLongBefore
    self.isSigned = isSigned
    self.setAside = setAside
  }
}

/// The offers of a report, by the number of their list in ``OfferLists``.
public struct OfferListIndex: Hashable, BitwiseCopyable, Sendable {
  /// The number, from 0; 0 is the empty list.
  public let rawValue: Int32
  /// Names a list.
  public init(_ rawValue: Int32) { self.rawValue = rawValue }
  /// The empty list.
  public static let none = OfferListIndex(0)
}

/// The offer prices in reports, each distinct list once.
///
/// Millions of reports show the few lists that App Store Connect had.
public struct OfferLists: Sendable {
  private var offers: [OfferPrice] = []
  private var ends: [Int] = [0]
  private var numbers: [[OfferPrice]: Int32] = [[]: 0]

  /// Only the empty list.
  public init() {}

  /// The number of a list; a new list is added.
  public mutating func index(of list: [OfferPrice]) -> OfferListIndex {
    if let known = numbers[list] { return OfferListIndex(known) }
    let number = Int32(ends.count)
    offers += list
    ends.append(offers.count)
    numbers[list] = number
    return OfferListIndex(number)
  }

  /// The number of lists.
  public var count: Int { ends.count }

  /// All lists, by number.
  public var lists: some Sequence<ArraySlice<OfferPrice>> {
    (0..<Int32(count)).lazy.map { self[OfferListIndex($0)] }
  }

  /// The positions of a list's offers among those of all lists.
  public func range(of index: OfferListIndex) -> Range<Int> {
    let number = Int(index.rawValue)
    return (number == 0 ? 0 : ends[number - 1])..<ends[number]
  }

  /// The offers of a list.
  public subscript(index: OfferListIndex) -> ArraySlice<OfferPrice> { offers[range(of: index)] }

  /// The offers at some positions among those of all lists.
  public subscript(range: Range<Int>) -> ArraySlice<OfferPrice> { offers[range] }

  /// An offer of any list.
  public subscript(position: OfferPosition) -> OfferPrice { offers[position.index] }
}
