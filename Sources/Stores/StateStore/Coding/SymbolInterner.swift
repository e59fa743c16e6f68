internal import SQLiteFiles
internal import Diagnostics
internal import PurchaseModel
internal import Purchases
internal import Synchronization

/// Assigns to the texts of new files the numbers under which state.db stores these texts.
///
/// All threads of a run use one object. A text that is already in state.db keeps its number; a new
/// text gets the next free number. A text has one number as a customer id and another number in all
/// other fields. For an erased customer the pseudonym is stored, not the id.
final class SymbolInterner: Sendable {
  /// A text that is not in state.db yet.
  struct NewText: Sendable {
    var number: UInt32
    var isCustomer: Bool
    var text: [UInt8]
  }

  private struct Memory: Sendable {
    var tables = [SymbolTable(), SymbolTable()]  // others, customers
    var numbers: [[UInt32]] = [[], []]
    var newTexts: [NewText] = []
    /// The number of each pseudonym that is not in state.db yet.
    ///
    /// A file may contain a pseudonym, because exports of this program contain the pseudonyms of
    /// erased customers.
    var pseudonyms: [[UInt8]: UInt32] = [:]
    var nextNumber: UInt32
  }

  private let memory: Mutex<Memory>
  private let file: DatabaseFile
  private let erased: ErasedCustomers?
  /// The highest number of a text in state.db at the start of the run.
  let highestStored: UInt32

  /// Creates an object that gives new texts the numbers after the highest number in state.db.
  init(file: DatabaseFile) throws(RunFailure) {
    self.file = file
    highestStored = try Self.highestNumber(in: file)
    erased = try file.read { try ErasedCustomers(on: $0) }
    memory = Mutex(Memory(nextNumber: highestStored + 1))
  }

  /// The new texts in some files, which state.db does not contain yet, sorted by number.
  ///
  /// Leaves out texts that only a refused file contains. A file can be refused after some of its
  /// parts were read.
  func newTexts(of files: [EncodedFile]) -> [NewText] {
    var named = [Bool](repeating: false, count: memory.withLock { Int($0.nextNumber) })
    for file in files { for number in file.numbers { named[Int(number)] = true } }
    return memory.withLock { $0.newTexts.filter { named[Int($0.number)] } }
  }

  /// The highest number of a text in state.db.
  static func highestNumber(in file: DatabaseFile) throws(RunFailure) -> UInt32 {
    try file.lookUp { db in
      let highest = try RawStatement(
        "highest symbol", "SELECT coalesce(max(symbol_id), 0) FROM symbol", on: db)
      _ = try highest.next()
      defer { highest.reset() }
      return UInt32(truncatingIfNeeded: highest.int64(0))
    }
  }

  /// Finds or assigns the number of each text in a file's content.
  func numbers(of used: UsedSymbols, in symbols: SymbolTable) throws(RunFailure) -> SymbolNumbers {
    let result: Result<SymbolNumbers, RunFailure> = memory.withLock { memory in
      do throws(RunFailure) {
        let others = try number(used.others, of: symbols, isCustomer: false, in: &memory)
        let customers = try number(
          used.customers, of: symbols, isCustomer: true, in: &memory)
        return .success(SymbolNumbers(customers: customers, others: others))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private func number(
    _ used: [Bool], of table: SymbolTable, isCustomer: Bool, in memory: inout Memory
  ) throws(RunFailure) -> [UInt32] {
    let kind = isCustomer ? 1 : 0
    var numbers = [UInt32](repeating: 0, count: used.count)
    var unknown: [(local: Int, known: Int, text: [UInt8])] = []
    for local in used.indices where used[local] {
      let text = table.utf8(Symbol(rawValue: UInt32(local)))
      let known = Int(memory.tables[kind].intern(text.span).rawValue)
      if known == memory.numbers[kind].count { memory.numbers[kind].append(0) }
      numbers[local] = memory.numbers[kind][known]
      if numbers[local] == 0 {
        let pseudonym = isCustomer ? erased?.pseudonym(of: text) : nil
        unknown.append((local, known, pseudonym ?? Array(text)))
      }
    }
    let stored = try storedNumbers(unknown.map(\.text), isCustomer: isCustomer)
    for (index, (local, known, text)) in unknown.enumerated() {
      let isPseudonym = isCustomer && text.starts(with: CustomerOrder.erasedPrefix.utf8)
      var number = stored[index]
      if number == 0, isPseudonym { number = memory.pseudonyms[text] ?? 0 }
      if number == 0 {
        number = memory.nextNumber
        memory.nextNumber += 1
        memory.newTexts.append(NewText(number: number, isCustomer: isCustomer, text: text))
        if isPseudonym { memory.pseudonyms[text] = number }
      }
      memory.numbers[kind][known] = number
      numbers[local] = number
    }
    return numbers
  }

  /// Finds the `symbol_id` of each text in state.db; 0 for a text that is not stored.
  private func storedNumbers(_ texts: [[UInt8]], isCustomer: Bool) throws(RunFailure) -> [UInt32] {
    guard highestStored > 0, !texts.isEmpty else {
      return [UInt32](repeating: 0, count: texts.count)
    }
    return try file.lookUp { db in
      let find = try RawStatement(
        "find symbol", "SELECT symbol_id FROM symbol WHERE text = ?1 AND is_customer = ?2", on: db)
      return try texts.map { text in
        find.bind(text: text.span, at: 1)
        find.bind(isCustomer ? 1 : 0 as Int64, at: 2)
        guard try find.next() else { return 0 }
        defer { find.reset() }
        return UInt32(truncatingIfNeeded: find.int64(0))
      }
    }
  }
}

/// The symbols in a file's content, separately for customer ids and for all other texts.
struct UsedSymbols {
  var customers: [Bool]
  var others: [Bool]

  /// Creates an empty set for the symbols of a table with `count` symbols.
  init(count: Int) {
    customers = [Bool](repeating: false, count: count)
    others = customers
  }

  init(_ content: Observations) {
    self.init(count: content.symbols.count)
    note(content)
  }

  mutating func note(_ content: Observations) {
    content.forEachText {
      customers[Int($0.symbol.rawValue)] = true
    } other: {
      others[Int($0.rawValue)] = true
    }
  }
}
