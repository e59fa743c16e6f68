internal import Amounts
public import PurchaseModel

extension SalesReportTotals {
  /// The largest distance in days between a row and the cells of Apple's reports that prove its
  /// price.
  ///
  /// ``proof(in:isSubscription:)`` reads these cells.
  public static let nearDays: Int64 = 2
  /// The number of days after a row whose charges in Apple's reports may change the row's amount:
  /// the longest billing retry, and two days.
  public static let laterDays: Int64 = 62

  /// Hashes the content of the cells, per product and day.
  ///
  /// Equal contents have equal hashes in every run, regardless of the order in which charges were
  /// added. Each day with a report also has a hash for the whole day, under a key without a
  /// product. Example: if one more report adds a charge of `plus` on May 10, the hash of `plus` on
  /// May 10 changes.
  ///
  /// - Parameter symbols: The symbol table of the run; it has the texts of the offer ids.
  public func digests(_ symbols: SymbolTable) -> [ProductDay: UInt64] {
    var offers = OfferHashes(symbols: symbols)
    var sums: [ProductDay: UInt64] = [:]
    func add(_ hash: UInt64, _ cell: Cell) {
      sums[ProductDay(cell.productID, cell.day), default: 0] &+= hash
    }
    for (cell, prices) in charges {
      let base = offers.hash(of: cell)
      for (price, units) in prices { add(Self.hash(1, base, price.rawValue, units), cell) }
    }
    for (cell, units) in rows { add(Self.hash(2, offers.hash(of: cell), units), cell) }
    for (cell, prices) in proceeds {
      let base = offers.hash(of: cell)
      for (price, stated) in prices {
        for one in stated {
          add(
            Self.hash(
              3, base, price.rawValue, one.amount.rawValue, Int64(one.currency.rawValue)), cell)
        }
      }
    }
    for (cell, prices) in settled {
      let base = offers.hash(of: cell)
      for price in prices { add(Self.hash(4, base, price.rawValue), cell) }
    }
    for (place, storefronts) in doubted {
      for storefront in storefronts {
        sums[place, default: 0] &+= Self.hash(5, UInt64(storefront?.rawValue ?? 0))
      }
    }
    for place in sums.keys where place.productID.map(shared.contains) ?? false {
      sums[place, default: 0] &+= Self.hash(6, 0)
    }
    for day in salesDays { sums[ProductDay(nil, day), default: 0] &+= Self.hash(7, 0) }
    for day in subscriberDays { sums[ProductDay(nil, day), default: 0] &+= Self.hash(8, 0) }
    return sums
  }

  private static func hash(
    _ kind: UInt64, _ base: UInt64, _ first: Int64 = 0, _ second: Int64 = 0, _ third: Int64 = 0
  ) -> UInt64 {
    [first, second, third].reduce(wellMixed(base &+ kind)) { hash, number in
      wellMixed(hash ^ UInt64(bitPattern: number))
    }
  }

  /// Hashes storefront, currency and offer of cells; the text of each offer is hashed only once.
  private struct OfferHashes {
    let symbols: SymbolTable
    private var known: [Symbol: UInt64] = [:]

    init(symbols: SymbolTable) { self.symbols = symbols }

    /// Hashes storefront, currency and offer of a cell.
    ///
    /// Product and day are not hashed: they are the key under which the hashes are added up.
    mutating func hash(of cell: Cell) -> UInt64 {
      let place = UInt64(cell.storefront?.rawValue ?? 0) << 32 | UInt64(cell.currency.rawValue)
      let offer: UInt64 =
        switch cell.offer {
        case .none: 1
        case .introductory: 2
        case .named(let id): hash(of: id.symbol)
        }
      return wellMixed(wellMixed(place) ^ offer)
    }

    private mutating func hash(of symbol: Symbol) -> UInt64 {
      if let known = known[symbol] { return known }
      var hash: UInt64 = 0xcbf2_9ce4_8422_2325
      for byte in symbols.utf8(symbol) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
      known[symbol] = hash
      return hash
    }
  }
}
